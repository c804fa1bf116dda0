/* What compiled products and LSTM steps look like to those who call them. There is one set for each instruction set of the
   processor that we make use of (product.h).

   Every number that comes out is one sum, added up in one order: the bias, or what is given, and then the products of row and
   column from the first to the last. The order does not depend on how many rows there are, where a row stands, or who else
   computes at the same time, so a row has the same bits in any company. */

#ifndef REARC_KERNELS_H
#define REARC_KERNELS_H

#include <stddef.h>

enum { VECTORS = 4 };           /* of a panel: the four gates of an LSTM, or columns side by side */

/* A matrix and its bias in panels of VECTORS vectors of columns; the last has only as many vectors as it needs, and zeros behind
   its last column. In a panel: the bias, then the rows of the matrix. */
typedef struct {
    const float *panels;
    ptrdiff_t depth;            /* rows */
    ptrdiff_t columns;
} Weights;

typedef struct {
    const char *name;
    int width;                  /* floats of a vector */
    /* results[r] = bias + rows[r] · matrix, and 0 for what is negative if rectified; `onto` adds the products to what stands in the
       results, and no bias */
    void (*product)(const float *const *rows, ptrdiff_t count, const Weights *weights, int onto, int rectified, float *results,
                    ptrdiff_t stride);
    /* One step of some lanes. In gates and weights the units stand in groups of `width`, in each group first the input gates, then
       forget, output and candidates; the logistic function is a tanh, and its halves are in the weights. */
    void (*step)(const float *const *states, const float *const *gates, ptrdiff_t count, const Weights *recurrent, float *cells,
                 ptrdiff_t cell_stride, float *const *outputs);
    /* tanh of each number, in place */
    void (*squash)(float *numbers, ptrdiff_t count);
} Kernels;

#endif
