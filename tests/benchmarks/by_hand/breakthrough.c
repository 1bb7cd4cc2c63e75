/* Breakthrough between random players, written by hand: a mask for each, rows of eight bits. */
#include "chance.h"

#define LEFT 0x0101010101010101ULL
#define RIGHT 0x8080808080808080ULL

/* Plays one of the moves to `straight`, `left` and `right`; the cell that is come to. */
#define MOVE(SHIFT, BACK, FIRST, SECOND)                                          \
    uint64_t straight = SHIFT(mine, 8) & ~(mine | other);                         \
    uint64_t left = SHIFT(mine & ~FIRST, 9) & ~mine;                              \
    uint64_t right = SHIFT(mine & ~SECOND, 7) & ~mine;                            \
    int ahead = __builtin_popcountll(straight), aside = __builtin_popcountll(left); \
    int count = ahead + aside + __builtin_popcountll(right);                      \
    int choice = count == 1 ? 0 : below(count);                                   \
    uint64_t to, from;                                                            \
    if (choice < ahead)                                                           \
        to = nth(straight, choice), from = BACK(to, 8);                           \
    else if (choice < ahead + aside)                                              \
        to = nth(left, choice - ahead), from = BACK(to, 9);                       \
    else                                                                          \
        to = nth(right, choice - ahead - aside), from = BACK(to, 7);              \
    mine ^= from | to;                                                            \
    other &= ~to;

#define UP(mask, by) ((mask) << (by))
#define DOWN(mask, by) ((mask) >> (by))

static int game(void)
{
    uint64_t first = 0xFFFF, second = 0xFFFF000000000000ULL;
    for (int decisions = 1;; decisions += 2) {
        {
            uint64_t mine = first, other = second;
            MOVE(UP, DOWN, RIGHT, LEFT)
            if (to >> 56 || !other)
                return decisions;
            first = mine, second = other;
        }
        {
            uint64_t mine = second, other = first;
            MOVE(DOWN, UP, LEFT, RIGHT)
            if (to & 0xFF || !other)
                return decisions + 1;
            first = other, second = mine;
        }
    }
}

int main(int argc, char **argv)
{
    return play(argc, argv, game);
}
