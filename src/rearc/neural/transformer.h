/* What a transformer does with its rows beside products. Every row goes its own way, and every sum is added up in one order, so a row
   has the same bits in any company. The functions are compiled for AVX2 too, without FMA: vectors are longer, but every number is
   rounded as elsewhere, so the bits are the same on all processors that round by IEEE 754. */

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "softmax.h"

#if defined(__GNUC__)
#define ALWAYS static inline __attribute__((always_inline))
#else
#define ALWAYS static inline
#endif

#if defined(__GNUC__) && defined(__x86_64__)
#define WIDE __attribute__((target("avx2"), flatten))
#define IF_WIDE(call) do { if (__builtin_cpu_supports("avx2")) { call; return; } } while (0)
#endif

/* Numbers side by side, on which compilers with GCC's extensions compute at once; else one. */
#if defined(__GNUC__)
enum { LANES = 8 };
typedef float Lanes __attribute__((vector_size(32)));
typedef int Chosen __attribute__((vector_size(32)));
#define LANES_OF(x) ((Lanes){(x), (x), (x), (x), (x), (x), (x), (x)})
#define CHOICE(first, a, b) ((Lanes)(((first) & (Chosen)(a)) | (~(first) & (Chosen)(b))))
#else
enum { LANES = 1 };
typedef float Lanes;
#define LANES_OF(x) ((float)(x))
#define CHOICE(first, a, b) ((first) ? (a) : (b))
#endif

enum { GELU, GELU_TANH, RELU };         /* what stands between the two products of a layer */

/* x · Φ(x), with half of 1 and the error function for Φ. That is a quotient of two polynomials, fitted to it below 4, where it is 1
   but for 2·10⁻⁸; within 5·10⁻⁷ of it. */
ALWAYS void gelu(float *numbers)
{
    Lanes given, x, y, above, below, low = LANES_OF(-4.0f), high = LANES_OF(4.0f);
    memcpy(&given, numbers, sizeof given);
    x = given * 0.707106781f;
    x = CHOICE(x > low, x, low);
    x = CHOICE(x < high, x, high);
    y = x * x;
    above = y * 1.9750137e-06f + 0.000288036019f;
    above = above * y + 0.00400311862f;
    above = above * y + 0.0534658641f;
    above = above * y + 0.196235808f;
    above = above * y + 1.12837898f;
    below = y * 3.74824879e-05f + 0.0012162443f;
    below = below * y + 0.0154433577f;
    below = below * y + 0.116471099f;
    below = below * y + 0.507240618f;
    below = below * y + 1.0f;
    x = 0.5f * given * (1.0f + x * above / below);
    memcpy(numbers, &x, sizeof x);
}

static inline float tangent(float x)
{
    float e = exponential(x > 0 ? -2.0f * x : 2.0f * x), t = (1.0f - e) / (1.0f + e);
    return x > 0 ? t : -t;
}

ALWAYS void activate_each(float *numbers, ptrdiff_t count, int kind)
{
    if (kind == GELU) {
        ptrdiff_t k = 0;
        for (; k + LANES <= count; k += LANES)
            gelu(numbers + k);
        if (k < count) {
            float rest[LANES] = {0};
            memcpy(rest, numbers + k, (count - k) * sizeof(float));
            gelu(rest);
            memcpy(numbers + k, rest, (count - k) * sizeof(float));
        }
    } else if (kind == GELU_TANH)
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
ALWAYS void norm_sum(float *row, const float *other, ptrdiff_t size, const float *weight, const float *bias, float epsilon)
{
    if (other != NULL)
        for (ptrdiff_t k = 0; k < size; k++)
            row[k] += other[k];
    float mean = row_sum(row, size, 0.0f, 0) / (float)size;
    float scale = 1.0f / sqrtf(row_sum(row, size, mean, 1) / (float)size + epsilon);
    for (ptrdiff_t k = 0; k < size; k++)
        row[k] = (row[k] - mean) * scale * weight[k] + bias[k];
}

/* To whole vectors: what is behind the last row is computed, and not looked at. */
static inline ptrdiff_t filled_up(ptrdiff_t n) { return (n + BLOCK - 1) / BLOCK * BLOCK; }

/* Each of n rows looks at all of them, in one head of this size. The rows have queries, keys and values side by side, the heads of
   each one behind the other, at this stride. `room` has (size + 1) · filled_up(n) numbers. */
ALWAYS void attend_in_head(const float *queries, const float *keys, const float *values, ptrdiff_t stride, ptrdiff_t n, ptrdiff_t size,
                        float *room, float *results, ptrdiff_t results_stride)
{
    ptrdiff_t full = filled_up(n);
    float *restrict across = room, *restrict shares = room + size * full, scale = 1.0f / sqrtf((float)size);
    memset(room, 0, size * full * sizeof(float));
    for (ptrdiff_t j = 0; j < n; j++)
        for (ptrdiff_t k = 0; k < size; k++)
            across[k * full + j] = keys[j * stride + k];
    for (ptrdiff_t i = 0; i < n; i++) {
        for (ptrdiff_t j = 0; j < full; j += 2 * LANES) {
            Lanes first = LANES_OF(0.0f), second = first, column;
            for (ptrdiff_t k = 0; k < size; k++) {
                float query = queries[i * stride + k] * scale;
                memcpy(&column, across + k * full + j, sizeof column);
                first += query * column;
                memcpy(&column, across + k * full + j + LANES, sizeof column);
                second += query * column;
            }
            memcpy(shares + j, &first, sizeof first);
            memcpy(shares + j + LANES, &second, sizeof second);
        }
        softmax_row(shares, n);
        float *result = results + i * results_stride;
        ptrdiff_t k = 0;
        for (; k + LANES <= size; k += LANES) {
            Lanes sum = LANES_OF(0.0f), value;
            for (ptrdiff_t j = 0; j < n; j++) {
                memcpy(&value, values + j * stride + k, sizeof value);
                sum += shares[j] * value;
            }
            memcpy(result + k, &sum, sizeof sum);
        }
        for (; k < size; k++) {
            result[k] = 0;
            for (ptrdiff_t j = 0; j < n; j++)
                result[k] += shares[j] * values[j * stride + k];
        }
    }
}

/* ---- for this processor */

#ifdef WIDE
WIDE static void activate_wide(float *numbers, ptrdiff_t count, int kind) { activate_each(numbers, count, kind); }
WIDE static void norm_sum_wide(float *row, const float *other, ptrdiff_t size, const float *weight, const float *bias, float epsilon)
{
    norm_sum(row, other, size, weight, bias, epsilon);
}
WIDE static void attend_in_head_wide(const float *queries, const float *keys, const float *values, ptrdiff_t stride, ptrdiff_t n,
                                     ptrdiff_t size, float *room, float *results, ptrdiff_t results_stride)
{
    attend_in_head(queries, keys, values, stride, n, size, room, results, results_stride);
}
#else
#define IF_WIDE(call)
#endif

static void activate(float *numbers, ptrdiff_t count, int kind)
{
    IF_WIDE(activate_wide(numbers, count, kind));
    activate_each(numbers, count, kind);
}

static void add_and_norm(float *row, const float *other, ptrdiff_t size, const float *weight, const float *bias, float epsilon)
{
    IF_WIDE(norm_sum_wide(row, other, size, weight, bias, epsilon));
    norm_sum(row, other, size, weight, bias, epsilon);
}

static void attend_head(const float *queries, const float *keys, const float *values, ptrdiff_t stride, ptrdiff_t n, ptrdiff_t size,
                        float *room, float *results, ptrdiff_t results_stride)
{
    IF_WIDE(attend_in_head_wide(queries, keys, values, stride, n, size, room, results, results_stride));
    attend_in_head(queries, keys, values, stride, n, size, room, results, results_stride);
}
