/* Styles of figures: sizes of page, type and lines, and colours. */
#include "figure/paint.h"

/* Colours of Okabe and Ito (2008) that stand out from white. In print black comes first, and colours that share a dash
   differ in lightness. */
static const double screen_colours[][3] = {
    {0, 0.447, 0.698}, {0.835, 0.369, 0},     {0, 0.620, 0.451}, {0.800, 0.475, 0.655},
    {0.902, 0.624, 0}, {0.337, 0.706, 0.914}, {0, 0, 0}};
static const double print_colours[][3] = {
    {0, 0, 0},         {0, 0.447, 0.698},    {0.835, 0.369, 0}, {0, 0.620, 0.451}, {0.800, 0.475, 0.655},
    {0.902, 0.624, 0}, {0.337, 0.706, 0.914}};

/* A page of a journal. */
#define PRINT(page_width, page_height)                                                                        \
    {                                                                                                         \
        .width = page_width, .height = page_height, .dots = 600, .title = 8, .label = 8, .text = 8,           \
        .unit = 0.7 * CAROM_MM, .row = 8 * CAROM_MM, .margin = CAROM_MM, .tick = 1.1 * CAROM_MM, .line = 0.9, \
        .frame = 0.5, .dot = 0.4 * CAROM_MM, .marker = 0.7 * CAROM_MM, .dash = 0.8 * CAROM_MM,                \
        .colours = print_colours, .colour_count = CAROM_COUNT(print_colours)                                  \
    }

static const carom_look looks[] = {
    [CAROM_FIGURE_SCREEN] = {.width = 120,
                             .height = 80,
                             .dots = 200,
                             .title = 10,
                             .label = 9,
                             .text = 8,
                             .unit = CAROM_MM,
                             .row = 9 * CAROM_MM,
                             .margin = 3 * CAROM_MM,
                             .tick = 1.4 * CAROM_MM,
                             .line = 0.35 * CAROM_MM,
                             .frame = 0.2 * CAROM_MM,
                             .grid = 0.12 * CAROM_MM,
                             .dot = 0.6 * CAROM_MM,
                             .marker = 0.9 * CAROM_MM,
                             .dash = CAROM_MM,
                             .boxed = true,
                             .colours = screen_colours,
                             .colour_count = CAROM_COUNT(screen_colours)},
    [CAROM_FIGURE_SINGLE_COLUMN] = PRINT(85, 62),
    [CAROM_FIGURE_DOUBLE_COLUMN] = PRINT(178, 80),
    [CAROM_FIGURE_SLIDE] = {.width = 254,
                            .height = 143,
                            .dots = 200,
                            .title = 22,
                            .label = 20,
                            .text = 18,
                            .unit = 2.2 * CAROM_MM,
                            .row = 13 * CAROM_MM,
                            .margin = 5 * CAROM_MM,
                            .tick = 3 * CAROM_MM,
                            .line = 0.9 * CAROM_MM,
                            .frame = 0.4 * CAROM_MM,
                            .grid = 0.25 * CAROM_MM,
                            .dot = 1.4 * CAROM_MM,
                            .marker = 2 * CAROM_MM,
                            .dash = 2.2 * CAROM_MM,
                            .colours = screen_colours,
                            .colour_count = CAROM_COUNT(screen_colours)},
};

const carom_look *carom_figure_look(carom_figure_style style)
{
    return (size_t)style < CAROM_COUNT(looks) ? &looks[style] : NULL;
}
