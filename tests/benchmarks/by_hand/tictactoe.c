/* Tic-tac-toe between random players, written by hand: two masks and a table of won positions. */
#include "chance.h"

static uint8_t won[512];

static int game(void)
{
    uint32_t mine = 0, other = 0;
    for (int decisions = 1;; decisions++) {
        uint32_t empty = 511 & ~(mine | other);
        mine |= (uint32_t)nth(empty, decisions == 9 ? 0 : below(10 - decisions));
        if (won[mine] || decisions == 9)
            return decisions;
        uint32_t held = mine;
        mine = other;
        other = held;
    }
}

int main(int argc, char **argv)
{
    static const int lines[8] = {7, 56, 448, 73, 146, 292, 273, 84};
    for (int mask = 0; mask < 512; mask++)
        for (int line = 0; line < 8; line++)
            won[mask] |= (mask & lines[line]) == lines[line];
    return play(argc, argv, game);
}
