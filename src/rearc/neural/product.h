/* The kernels for each instruction set, and the choice between them.

   AVX2 and AVX-512 round a · b + c once and so give the same bits. The portable kernels, for every other processor and compiler,
   round as the compiler has it, twice on most, and may differ from them in the last bits. */

#include <string.h>

#include "kernels.h"

#if defined(__clang__)
#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 8")
#else
#define INLINE static inline
#define UNROLL
#endif

enum { ROW_BLOCK = 48 };        /* rows that a panel is used for before the next one is fetched; no bit depends on it */

/* The next part of what is left, so that all parts are about as large. */
static inline ptrdiff_t even_part(ptrdiff_t left, ptrdiff_t most)
{
    ptrdiff_t parts = (left + most - 1) / most;
    return parts ? (left + parts - 1) / parts : 0;
}

#define TILES_OF(r) CASE(r, 1) CASE(r, 2) CASE(r, 3) CASE(r, 4)

/* ---- portable: vectors of four, which the processors of today have and compilers with GCC's extensions know; else of one */

#define KERNEL(name) name##_portable
#define TARGET
#define TILE 3
#define DEPTH_BLOCK 256
#define VECTOR Portable
#define MULTIPLY(a, b) ((a) * (b))
#define DIVIDE(a, b) ((a) / (b))
#define FUSED(a, b, c) ((a) * (b) + (c))
#define SMALLER(a, b) portable_choice((a) < (b), a, b)
#define LARGER(a, b) portable_choice((a) > (b), a, b)
#define EACH_TILE TILES_OF(1) TILES_OF(2) TILES_OF(3)
#define EACH_HEIGHT CASE(1, 4) CASE(2, 4) CASE(3, 4)
#if defined(__GNUC__)
#define WIDTH 4
typedef float Portable __attribute__((vector_size(16)));
typedef int Choice __attribute__((vector_size(16)));
#define SPREAD(x) ((Portable){(x), (x), (x), (x)})
static inline Portable portable_choice(Choice first, Portable a, Portable b)
{
    return (Portable)((first & (Choice)a) | (~first & (Choice)b));
}
#else
#define WIDTH 1
typedef float Portable;
#define SPREAD(x) ((float)(x))
static inline Portable portable_choice(int first, Portable a, Portable b) { return first ? a : b; }
#endif
static inline Portable portable_load(const float *from) { Portable x; memcpy(&x, from, sizeof x); return x; }
static inline void portable_store(float *to, Portable x) { memcpy(to, &x, sizeof x); }
#define LOAD(from) portable_load(from)
#define STORE(to, x) portable_store(to, x)
enum { PORTABLE_WIDTH = WIDTH };
#include "tile.h"

#if defined(__GNUC__) && defined(__x86_64__)
#include <immintrin.h>

/* ---- AVX2 */

#define KERNEL(name) name##_avx2
#define TARGET __attribute__((target("avx2,fma")))
#define WIDTH 8
#define TILE 3
#define DEPTH_BLOCK 256
#define VECTOR __m256
#define LOAD _mm256_loadu_ps
#define STORE _mm256_storeu_ps
#define SPREAD _mm256_set1_ps
#define MULTIPLY _mm256_mul_ps
#define DIVIDE _mm256_div_ps
#define SMALLER _mm256_min_ps
#define LARGER _mm256_max_ps
#define FUSED _mm256_fmadd_ps
#define EACH_TILE TILES_OF(1) TILES_OF(2) TILES_OF(3)
#define EACH_HEIGHT CASE(1, 4) CASE(2, 4) CASE(3, 4)
#include "tile.h"

/* ---- AVX-512 */

#define KERNEL(name) name##_avx512
#define TARGET __attribute__((target("avx512f")))
#define WIDTH 16
#define TILE 6
#define DEPTH_BLOCK 512
#define VECTOR __m512
#define LOAD _mm512_loadu_ps
#define STORE _mm512_storeu_ps
#define SPREAD _mm512_set1_ps
#define MULTIPLY _mm512_mul_ps
#define DIVIDE _mm512_div_ps
#define SMALLER _mm512_min_ps
#define LARGER _mm512_max_ps
#define FUSED _mm512_fmadd_ps
#define EACH_TILE TILES_OF(1) TILES_OF(2) TILES_OF(3) TILES_OF(4) TILES_OF(5) TILES_OF(6)
#define EACH_HEIGHT CASE(1, 4) CASE(2, 4) CASE(3, 4) CASE(4, 4) CASE(5, 4) CASE(6, 4)
#include "tile.h"
#endif

/* ---- the choice */

/* The kernels that this processor can run, the fastest first; behind the last one NULL. */
static const Kernels *const *kernels_here(void)
{
    static const Kernels portable = {"portable", PORTABLE_WIDTH, product_portable, step_portable, squash_portable};
    static const Kernels *here[4];
    int count = 0;
#if defined(__GNUC__) && defined(__x86_64__)
    static const Kernels avx2 = {"avx2", 8, product_avx2, step_avx2, squash_avx2};
    static const Kernels avx512 = {"avx512", 16, product_avx512, step_avx512, squash_avx512};
    if (__builtin_cpu_supports("avx512f"))
        here[count++] = &avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        here[count++] = &avx2;
#endif
    here[count++] = &portable;
    here[count] = NULL;
    return here;
}
