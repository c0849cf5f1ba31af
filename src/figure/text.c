/* Texts of figures: checked UTF-8, and type on the page. */
#include "figure/paint.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ---- UTF-8 ---- */

void carom_figure_text(char *out, size_t size, const char *text)
{
    size_t length = 0;
    const unsigned char *p = (const unsigned char *)(text ? text : "");
    while (*p) {
        size_t bytes = carom_utf8_size((const char *)p, SIZE_MAX);
        bool plain = bytes > 1 || (bytes == 1 && *p >= 0x20 && *p != 0x7F);
        size_t take = bytes ? bytes : 1;
        if (length + (plain ? take : 1) >= size)
            break;
        if (plain)
            memcpy(out + length, p, take);
        else
            out[length] = bytes ? ' ' : '?';
        length += plain ? take : 1;
        p += take;
    }
    out[length] = '\0';
}

/* ---- on the page ---- */

double carom_paint_width(cairo_t *cr, const char *text)
{
    cairo_text_extents_t e;
    cairo_text_extents(cr, text, &e);
    return e.x_advance;
}

void carom_paint_text(cairo_t *cr, double x, double y, double align, const char *text)
{
    cairo_move_to(cr, x - align * carom_paint_width(cr, text), y);
    cairo_show_text(cr, text);
    cairo_new_path(cr);
}

void carom_paint_fit(cairo_t *cr, const char *text, double points, double available)
{
    cairo_set_font_size(cr, points);
    double width = carom_paint_width(cr, text);
    if (width > available)
        cairo_set_font_size(cr, points * available / width);
}

void carom_paint_cut(cairo_t *cr, double available, char *text, size_t size)
{
    if (carom_paint_width(cr, text) <= available)
        return;
    size_t length = strlen(text);
    char cut_off[CAROM_AXIS_TEXT] = "…";
    while (length > 0) {
        do
            length--;
        while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80);
        snprintf(cut_off, sizeof cut_off, "%.*s…", (int)length, text);
        if (carom_paint_width(cr, cut_off) <= available)
            break;
    }
    snprintf(text, size, "%s", cut_off);
}
