/* e to the power of each number of a row, divided by their sum; the largest becomes 1 first. Whole blocks only, the last filled up,
   so that every number goes the same way wherever it stands. */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { BLOCK = 16 };

/* e to the power of x ≤ 0, within 2·10⁻⁷ of it; below −87, where it is all but nothing, e⁻⁸⁷. */
static inline float exponential(float x)
{
    x = x > -87.0f ? x : -87.0f;
    float whole = x * 1.44269504f + 12582912.0f;        /* 1.5 · 2²³: what is added to it loses its fraction */
    union { float number; uint32_t bits; } power = {whole};   /* not memcpy, of which compilers make no vectors */
    whole -= 12582912.0f;
    float rest = x - whole * 0.693359375f;              /* log 2, in two parts so that the rest is exact to the last bit */
    rest = rest - whole * -2.12194440e-4f;
    float sum = 1.0f / 720;                             /* Taylor's series: the rest is at most log 2 / 2 */
    sum = sum * rest + 1.0f / 120;
    sum = sum * rest + 1.0f / 24;
    sum = sum * rest + 1.0f / 6;
    sum = sum * rest + 0.5f;
    sum = sum * rest + 1.0f;
    sum = sum * rest + 1.0f;
    power.bits = (power.bits << 23) + 0x3f800000u;      /* 2 to the power of the whole part: the lowest bits are that number */
    return sum * power.number;
}

static void softmax_row(float *row, ptrdiff_t count)
{
    float sums[BLOCK] = {0}, most[BLOCK], largest = row[0];
    ptrdiff_t whole = count / BLOCK * BLOCK;
    for (int b = 0; b < BLOCK; b++)
        most[b] = largest;
    for (ptrdiff_t k = 0; k < whole; k += BLOCK)
        for (int b = 0; b < BLOCK; b++)
            most[b] = row[k + b] > most[b] ? row[k + b] : most[b];
    for (ptrdiff_t k = whole; k < count; k++)
        largest = row[k] > largest ? row[k] : largest;
    for (int b = 0; b < BLOCK; b++)
        largest = most[b] > largest ? most[b] : largest;
    for (ptrdiff_t k = 0; k < count; k += BLOCK) {
        ptrdiff_t here = count - k < BLOCK ? count - k : BLOCK;
        float block[BLOCK];
        memcpy(block, row + k, here * sizeof(float));
        for (ptrdiff_t b = here; b < BLOCK; b++)
            block[b] = largest;
        for (int b = 0; b < BLOCK; b++)
            block[b] = exponential(block[b] - largest);
        for (ptrdiff_t b = here; b < BLOCK; b++)
            block[b] = 0;
        for (int b = 0; b < BLOCK; b++)
            sums[b] += block[b];
        memcpy(row + k, block, here * sizeof(float));
    }
    for (int half = BLOCK / 2; half; half /= 2)
        for (int b = 0; b < half; b++)
            sums[b] += sums[b + half];
    for (ptrdiff_t k = 0; k < count; k++)
        row[k] /= sums[0];
}
