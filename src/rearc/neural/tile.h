/* The kernels for one instruction set. product.h includes this file once for each, with these macros:

   KERNEL(name)     the name of a function for this instruction set
   TARGET           what tells the compiler that it may use it
   WIDTH            floats of a vector
   TILE             rows of a tile: TILE × VECTORS sums fit into the registers, with a few left
   DEPTH_BLOCK      rows of a panel that are used at once: they stay in the nearest cache. No bit depends on it
   EACH_TILE, EACH_HEIGHT   CASE(rows, vectors) for all tiles, and for those of all vectors
   VECTOR           the type of a vector, and what can be done with it: LOAD, STORE, SPREAD, MULTIPLY, DIVIDE, SMALLER, LARGER,
                    and FUSED(a, b, c) = a · b + c, which is rounded once where the processor can do so
*/

/* Adds rows · panel to the sums of a tile. `rows` and `vectors` are constants wherever it is called: the loops are unrolled. */
INLINE TARGET void KERNEL(add_products)(VECTOR sums[TILE][VECTORS], int rows, int vectors, const float *const *a, const float *b,
                                        ptrdiff_t depth)
{
    for (ptrdiff_t k = 0; k < depth; k++, b += vectors * WIDTH) {
        VECTOR left[TILE];
        UNROLL for (int r = 0; r < rows; r++)
            left[r] = SPREAD(a[r][k]);
        UNROLL for (int v = 0; v < vectors; v++) {
            VECTOR right = LOAD(b + v * WIDTH);
            UNROLL for (int r = 0; r < rows; r++)
                sums[r][v] = FUSED(left[r], right, sums[r][v]);
        }
    }
}

/* One tile of a product over a part of the depth: the sums begin with the bias, or go on from what stands in the results. */
INLINE TARGET void KERNEL(tile)(int rows, int vectors, const float *const *a, const float *bias, const float *b, ptrdiff_t depth,
                                int rectified, float *results, ptrdiff_t stride, ptrdiff_t columns)
{
    VECTOR sums[TILE][VECTORS];
    float edge[TILE * VECTORS * WIDTH];
    float *to = results;
    ptrdiff_t to_stride = stride;
    if (columns < vectors * WIDTH) {                    /* the last panel: whole vectors, of which only a part is kept */
        to = edge;
        to_stride = vectors * WIDTH;
        if (bias == NULL)
            for (int r = 0; r < rows; r++)
                memcpy(edge + r * to_stride, results + r * stride, columns * sizeof(float));
    }
    UNROLL for (int r = 0; r < rows; r++)
        UNROLL for (int v = 0; v < vectors; v++)
            sums[r][v] = LOAD((bias != NULL ? bias : to + r * to_stride) + v * WIDTH);
    KERNEL(add_products)(sums, rows, vectors, a, b, depth);
    UNROLL for (int r = 0; r < rows; r++)
        UNROLL for (int v = 0; v < vectors; v++)
            STORE(to + r * to_stride + v * WIDTH, rectified ? LARGER(SPREAD(0), sums[r][v]) : sums[r][v]);
    if (to == edge)
        for (int r = 0; r < rows; r++)
            memcpy(results + r * stride, edge + r * to_stride, columns * sizeof(float));
}

TARGET static void KERNEL(product)(const float *const *rows, ptrdiff_t count, const Weights *weights, int onto, int rectified,
                                   float *results, ptrdiff_t stride)
{
    ptrdiff_t depth = weights->depth, panel_columns = VECTORS * WIDTH;
    for (ptrdiff_t first = 0, last; first < count; first = last) {
        last = first + even_part(count - first, ROW_BLOCK);
        const float *panel = weights->panels;
        for (ptrdiff_t column = 0; column < weights->columns; column += panel_columns) {
            ptrdiff_t columns = weights->columns - column;
            int vectors = columns < panel_columns ? (int)((columns + WIDTH - 1) / WIDTH) : VECTORS;
            ptrdiff_t k = 0;
            do {                                        /* once at least: without depth there is still the bias */
                ptrdiff_t part = even_part(depth - k, DEPTH_BLOCK);
                const float *bias = k || onto ? NULL : panel;
                const float *b = panel + (1 + k) * vectors * WIDTH;
                int cut = rectified && k + part == depth;
                for (ptrdiff_t row = first; row < last;) {
                    int height = (int)even_part(last - row, TILE);
                    const float *a[TILE];
                    for (int r = 0; r < height; r++)
                        a[r] = rows[row + r] + k;
                    float *c = results + row * stride + column;
#define CASE(r, v) case (r) * (VECTORS + 1) + (v): \
    KERNEL(tile)(r, v, a, bias, b, part, cut, c, stride, columns); break;
                    switch (height * (VECTORS + 1) + vectors) { EACH_TILE }
#undef CASE
                    row += height;
                }
                k += part;
            } while (k < depth);
            panel += (1 + depth) * vectors * WIDTH;
        }
    }
}

/* tanh x = x P(x²) / Q(x²), fitted so that the largest relative error on [−9, 9] is least (2·10⁻⁸, before rounding); beyond it
   tanh x is 1 in single precision. */
INLINE TARGET VECTOR KERNEL(tanh)(VECTOR x)
{
    static const float p[] = {1.3420119e-08f, 2.0661511e-05f, 3.4990129e-03f, 1.3383995e-01f, 1.0f};
    static const float q[] = {7.8048612e-07f, 3.2910646e-04f, 2.5890272e-02f, 4.6717316e-01f, 1.0f};
    x = LARGER(SPREAD(-9), SMALLER(SPREAD(9), x));      /* in this order NaN stays NaN */
    VECTOR square = MULTIPLY(x, x), above = SPREAD(p[0]), below = SPREAD(q[0]);
    UNROLL for (int k = 1; k < 5; k++) {
        above = FUSED(above, square, SPREAD(p[k]));
        below = FUSED(below, square, SPREAD(q[k]));
    }
    return DIVIDE(MULTIPLY(x, above), below);
}

TARGET static void KERNEL(squash)(float *numbers, ptrdiff_t count)
{
    float edge[WIDTH] = {0};
    ptrdiff_t k = 0;
    for (; k + WIDTH <= count; k += WIDTH)
        STORE(numbers + k, KERNEL(tanh)(LOAD(numbers + k)));
    memcpy(edge, numbers + k, (count - k) * sizeof(float));
    STORE(edge, KERNEL(tanh)(LOAD(edge)));
    memcpy(numbers + k, edge, (count - k) * sizeof(float));
}

INLINE TARGET void KERNEL(cell)(int rows, const float *const *states, const float *const *gates, const float *b, ptrdiff_t depth,
                                float *cells, ptrdiff_t cell_stride, float *const *outputs, ptrdiff_t unit)
{
    VECTOR sums[TILE][VECTORS];
    UNROLL for (int r = 0; r < rows; r++)
        UNROLL for (int v = 0; v < VECTORS; v++)
            sums[r][v] = LOAD(gates[r] + unit * VECTORS + v * WIDTH);
    KERNEL(add_products)(sums, rows, VECTORS, states, b, depth);
    UNROLL for (int r = 0; r < rows; r++) {
        VECTOR half = SPREAD(0.5f);
        VECTOR in = FUSED(KERNEL(tanh)(sums[r][0]), half, half);
        VECTOR forget = FUSED(KERNEL(tanh)(sums[r][1]), half, half);
        VECTOR out = FUSED(KERNEL(tanh)(sums[r][2]), half, half);
        VECTOR fresh = MULTIPLY(in, KERNEL(tanh)(sums[r][3]));
        float *at = cells + r * cell_stride + unit;
        VECTOR cell = FUSED(forget, LOAD(at), fresh);
        STORE(at, cell);
        VECTOR output = MULTIPLY(out, KERNEL(tanh)(cell));
        if (unit + WIDTH <= depth)
            STORE(outputs[r] + unit, output);
        else {
            float edge[WIDTH];
            STORE(edge, output);
            memcpy(outputs[r] + unit, edge, (depth - unit) * sizeof(float));
        }
    }
}

TARGET static void KERNEL(step)(const float *const *states, const float *const *gates, ptrdiff_t count, const Weights *recurrent,
                                float *cells, ptrdiff_t cell_stride, float *const *outputs)
{
    ptrdiff_t hidden = recurrent->depth;
    for (ptrdiff_t unit = 0; unit < hidden; unit += WIDTH) {
        const float *b = recurrent->panels + (unit * (1 + hidden) + WIDTH) * VECTORS;   /* behind the bias, which gates have */
        for (ptrdiff_t row = 0; row < count;) {
            int height = (int)even_part(count - row, TILE);
#define CASE(r, v) case r: \
    KERNEL(cell)(r, states + row, gates + row, b, hidden, cells + row * cell_stride, cell_stride, outputs + row, unit); break;
            switch (height) { EACH_HEIGHT }
#undef CASE
            row += height;
        }
    }
}

#undef KERNEL
#undef TARGET
#undef WIDTH
#undef TILE
#undef DEPTH_BLOCK
#undef VECTOR
#undef LOAD
#undef STORE
#undef SPREAD
#undef MULTIPLY
#undef DIVIDE
#undef SMALLER
#undef LARGER
#undef FUSED
#undef EACH_TILE
#undef EACH_HEIGHT
