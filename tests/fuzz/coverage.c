/* Tells libFuzzer (inside atheris) which edges and comparisons compiled code has gone through.

   GCC marks every block with a call of __sanitizer_cov_trace_pc, which libFuzzer does not count; here each call counts
   in a table that libFuzzer watches. Linked into each extension module of the build that is fuzzed. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

#define HIDDEN __attribute__((visibility("hidden")))
#define SIZE (1 << 16)

static uint8_t counters[SIZE];
static void (*compare[4])(uint64_t, uint64_t);
static void (*compare_constant[4])(uint64_t, uint64_t);

/* To be called once libFuzzer is loaded. */
int watch(void) {
    static const char *const names[] = {"1", "2", "4", "8"};
    void (*init)(uint8_t *, uint8_t *) = dlsym(RTLD_DEFAULT, "__sanitizer_cov_8bit_counters_init");
    for (int k = 0; k < 4; k++) {
        char name[64] = "__sanitizer_cov_trace_cmp";
        compare[k] = dlsym(RTLD_DEFAULT, strcat(name, names[k]));
        strcpy(name, "__sanitizer_cov_trace_const_cmp");
        compare_constant[k] = dlsym(RTLD_DEFAULT, strcat(name, names[k]));
    }
    if (init) init(counters, counters + SIZE);
    return init != 0;
}

HIDDEN void __sanitizer_cov_trace_pc(void) {
    uintptr_t pc = (uintptr_t)__builtin_return_address(0);
    counters[(pc ^ (pc >> 16)) % SIZE]++;
}

#define FORWARD(k, type, suffix)                                                                                     \
    HIDDEN void __sanitizer_cov_trace_cmp##suffix(type a, type b) { if (compare[k]) compare[k](a, b); }              \
    HIDDEN void __sanitizer_cov_trace_const_cmp##suffix(type a, type b) {                                            \
        if (compare_constant[k]) compare_constant[k](a, b);                                                          \
    }
FORWARD(0, uint8_t, 1)
FORWARD(1, uint16_t, 2)
FORWARD(2, uint32_t, 4)
FORWARD(3, uint64_t, 8)
HIDDEN void __sanitizer_cov_trace_switch(uint64_t value, uint64_t *cases) { (void)value; (void)cases; }
HIDDEN void __sanitizer_cov_trace_cmpf(float a, float b) { (void)a; (void)b; }
HIDDEN void __sanitizer_cov_trace_cmpd(double a, double b) { (void)a; (void)b; }
