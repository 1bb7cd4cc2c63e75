/* Random numbers and bits for the programs beside this file. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif

static uint32_t sa = 1, sb = 2, sc = 3, sn = 1;

static inline uint32_t next32(void)
{
    uint32_t result = sa + sb + sn++;
    sa = sb ^ (sb >> 9);
    sb = sc + (sc << 3);
    sc = ((sc << 21) | (sc >> 11)) + result;
    return result;
}

/* A number from 0 up to n - 1, each exactly as likely. */
static inline uint32_t below(uint32_t n)
{
    uint64_t product = (uint64_t)next32() * n;
    if ((uint32_t)product < n) {
        uint32_t refused = -n % n;
        while ((uint32_t)product < refused)
            product = (uint64_t)next32() * n;
    }
    return (uint32_t)(product >> 32);
}

/* Set bit number k of a mask, counted from the lowest, as a mask. */
static inline uint64_t nth(uint64_t mask, uint32_t k)
{
#ifdef __BMI2__
    return _pdep_u64((uint64_t)1 << k, mask);
#else
    while (k--)
        mask &= mask - 1;
    return mask & -mask;
#endif
}

/* Plays as many games as it is told to, from a seed; says how many decisions they took, and the
 * seconds. */
static int play(int argc, char **argv, int (*game)(void))
{
    long games = argc > 1 ? atol(argv[1]) : 1000;
    unsigned long long decisions = 0;
    sa ^= argc > 2 ? (uint32_t)atol(argv[2]) : 0;
    for (int round = 0; round < 15; round++)
        next32();
    clock_t begun = clock();
    for (long number = 0; number < games; number++)
        decisions += (unsigned)game();
    printf("%llu %f\n", decisions, (double)(clock() - begun) / CLOCKS_PER_SEC);
    return 0;
}
