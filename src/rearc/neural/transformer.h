/* What a transformer does with its rows beside products. Every row goes its own way, and every sum is added up in one order, so a row
   has the same bits in any company. No function here uses more of a processor than all of its kind have: they take a small part of
   the time. */

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "softmax.h"

enum { GELU, GELU_TANH, RELU };         /* what stands between the two products of a layer */

/* The error function: a quotient of two polynomials, fitted to it below 4, where it is 1 but for 2·10⁻⁸; within 5·10⁻⁷ of it. */
static inline float error_function(float x)
{
    x = x > -4.0f ? x : -4.0f;
    x = x < 4.0f ? x : 4.0f;
    float y = x * x;
    float above = 1.9750137e-06f;
    above = above * y + 0.000288036019f;
    above = above * y + 0.00400311862f;
    above = above * y + 0.0534658641f;
    above = above * y + 0.196235808f;
    above = above * y + 1.12837898f;
    float below = 3.74824879e-05f;
    below = below * y + 0.0012162443f;
    below = below * y + 0.0154433577f;
    below = below * y + 0.116471099f;
    below = below * y + 0.507240618f;
    below = below * y + 1.0f;
    return x * above / below;
}

static inline float tangent(float x)
{
    float e = exponential(x > 0 ? -2.0f * x : 2.0f * x), t = (1.0f - e) / (1.0f + e);
    return x > 0 ? t : -t;
}

static void activate(float *numbers, ptrdiff_t count, int kind)
{
    if (kind == GELU)
        for (ptrdiff_t k = 0; k < count; k++)
            numbers[k] = 0.5f * numbers[k] * (1.0f + error_function(numbers[k] * 0.707106781f));
    else if (kind == GELU_TANH)
        for (ptrdiff_t k = 0; k < count; k++) {
            float x = numbers[k];
            numbers[k] = 0.5f * x * (1.0f + tangent(0.797884561f * (x + 0.044715f * x * x * x)));
        }
    else
        for (ptrdiff_t k = 0; k < count; k++)
            numbers[k] = numbers[k] > 0 ? numbers[k] : 0;
}

/* The sum of a row, in BLOCK sums side by side and then these together. */
static inline float row_sum(const float *row, ptrdiff_t count, float mean, int squares)
{
    float sums[BLOCK] = {0};
    ptrdiff_t k = 0;
    for (; k + BLOCK <= count; k += BLOCK)
        for (int b = 0; b < BLOCK; b++) {
            float x = row[k + b] - mean;
            sums[b] += squares ? x * x : x;
        }
    for (int b = 0; k + b < count; b++) {
        float x = row[k + b] - mean;
        sums[b] += squares ? x * x : x;
    }
    for (int half = BLOCK / 2; half; half /= 2)
        for (int b = 0; b < half; b++)
            sums[b] += sums[b + half];
    return sums[0];
}

/* row + other, brought to mean 0 and variance 1, times weight, plus bias; into row. */
static void add_and_norm(float *row, const float *other, ptrdiff_t size, const float *weight, const float *bias, float epsilon)
{
    if (other != NULL)
        for (ptrdiff_t k = 0; k < size; k++)
            row[k] += other[k];
    float mean = row_sum(row, size, 0.0f, 0) / (float)size;
    float scale = 1.0f / sqrtf(row_sum(row, size, mean, 1) / (float)size + epsilon);
    for (ptrdiff_t k = 0; k < size; k++)
        row[k] = (row[k] - mean) * scale * weight[k] + bias[k];
}

/* Each of n rows looks at all of them, in one head of this size. The rows have queries, keys and values side by side, the heads of
   each one behind the other, at this stride. `room` has (size + 1) · n numbers. */
static void attend_head(const float *queries, const float *keys, const float *values, ptrdiff_t stride, ptrdiff_t n, ptrdiff_t size,
                        float *room, float *results, ptrdiff_t results_stride)
{
    float *across = room, *shares = room + size * n, scale = 1.0f / sqrtf((float)size);
    for (ptrdiff_t j = 0; j < n; j++)
        for (ptrdiff_t k = 0; k < size; k++)
            across[k * n + j] = keys[j * stride + k];
    for (ptrdiff_t i = 0; i < n; i++) {
        memset(shares, 0, n * sizeof(float));
        for (ptrdiff_t k = 0; k < size; k++) {
            float query = queries[i * stride + k] * scale;
            const float *column = across + k * n;
            for (ptrdiff_t j = 0; j < n; j++)
                shares[j] += query * column[j];
        }
        softmax_row(shares, n);
        float *result = results + i * results_stride;
        memset(result, 0, size * sizeof(float));
        for (ptrdiff_t j = 0; j < n; j++) {
            float share = shares[j];
            const float *value = values + j * stride;
            for (ptrdiff_t k = 0; k < size; k++)
                result[k] += share * value[k];
        }
    }
}
