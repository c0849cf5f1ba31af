#!/bin/sh
# Instructions of eight kernels stay within 5 % of bench/budgets.txt.
exec "$CAROM_SOURCE_DIR/tools/budgets" "$CAROM_BUILD_DIR"
