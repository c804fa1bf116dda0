/* What is done with the numbers of one step of an LSTM in training, between the products. The gates of a row come in the order
   i, f, g, o, `hidden` of each. Loops over plain arrays, which compilers make vectors of. */

#ifndef REARC_STEPS_H
#define REARC_STEPS_H

#include <stddef.h>
#include <string.h>

/* From the tanh of all gates to the gates (σ(x) = ½ tanh(½x) + ½, the halves inside are in the weights) and the cells. */
static void open_gates(float *restrict gates, const float *restrict before, float *restrict cells, float *restrict squashed,
                       ptrdiff_t rows, ptrdiff_t hidden)
{
    for (ptrdiff_t r = 0; r < rows; r++) {
        float *restrict i = gates + r * 4 * hidden, *restrict f = i + hidden, *restrict g = f + hidden, *restrict o = g + hidden;
        for (ptrdiff_t u = 0; u < hidden; u++) {
            i[u] = 0.5f * i[u] + 0.5f;
            f[u] = 0.5f * f[u] + 0.5f;
            o[u] = 0.5f * o[u] + 0.5f;
            cells[r * hidden + u] = i[u] * g[u];
        }
        if (before != NULL)
            for (ptrdiff_t u = 0; u < hidden; u++)
                cells[r * hidden + u] += f[u] * before[r * hidden + u];
    }
    memcpy(squashed, cells, rows * hidden * sizeof(float));
}

static void put_out(const float *restrict gates, const float *restrict squashed, float *restrict outputs, ptrdiff_t rows,
                    ptrdiff_t hidden)
{
    for (ptrdiff_t r = 0; r < rows; r++)
        for (ptrdiff_t u = 0; u < hidden; u++)
            outputs[r * hidden + u] = gates[(r * 4 + 3) * hidden + u] * squashed[r * hidden + u];
}

/* From the gradients of the outputs and of the cells, which come from the step behind through its forget gates, to those of the gates
   before their squashing. */
static void take_back(const float *restrict gates, const float *restrict forget, const float *restrict before,
                      const float *restrict squashed, const float *restrict output, float *restrict cell, float *restrict factors,
                      ptrdiff_t rows, ptrdiff_t hidden)
{
    for (ptrdiff_t r = 0; r < rows; r++) {
        const float *restrict i = gates + r * 4 * hidden, *restrict f = i + hidden, *restrict g = f + hidden, *restrict o = g + hidden;
        const float *restrict s = squashed + r * hidden, *restrict out = output + r * hidden;
        float *restrict c = cell + r * hidden;
        float *restrict fi = factors + r * 4 * hidden, *restrict ff = fi + hidden, *restrict fg = ff + hidden, *restrict fo = fg + hidden;
        if (forget != NULL)
            for (ptrdiff_t u = 0; u < hidden; u++)
                c[u] *= forget[(r * 4 + 1) * hidden + u];
        for (ptrdiff_t u = 0; u < hidden; u++) {
            c[u] += out[u] * o[u] * (1 - s[u] * s[u]);
            fi[u] = c[u] * g[u] * i[u] * (1 - i[u]);
            fg[u] = c[u] * i[u] * (1 - g[u] * g[u]);
            fo[u] = out[u] * s[u] * o[u] * (1 - o[u]);
            ff[u] = 0;
        }
        if (before != NULL)
            for (ptrdiff_t u = 0; u < hidden; u++)
                ff[u] = c[u] * before[r * hidden + u] * f[u] * (1 - f[u]);
    }
}

#endif
