/* Connect four between random players, written by hand: columns of seven bits, the top one free. */
#include "chance.h"

#define BOTTOM 0x0040810204081ULL /* the lowest cell of each column */
#define TOP (BOTTOM << 5)

static inline int has_four(uint64_t discs)
{
    uint64_t pairs = discs & (discs >> 1), found = pairs & (pairs >> 2);
    pairs = discs & (discs >> 6);
    found |= pairs & (pairs >> 12);
    pairs = discs & (discs >> 7);
    found |= pairs & (pairs >> 14);
    pairs = discs & (discs >> 8);
    found |= pairs & (pairs >> 16);
    return found != 0;
}

static int game(void)
{
    uint64_t mine = 0, all = 0;
    for (int decisions = 1;; decisions++) {
        uint64_t open = (all + BOTTOM) & ((TOP << 1) - BOTTOM); /* the lowest free cell of each */
        int count = __builtin_popcountll(open);
        uint64_t cell = nth(open, count == 1 ? 0 : below(count));
        mine |= cell;
        all |= cell;
        if (has_four(mine) || decisions == 42)
            return decisions;
        mine ^= all;
    }
}

int main(int argc, char **argv)
{
    return play(argc, argv, game);
}
