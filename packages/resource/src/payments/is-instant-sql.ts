/**
 * Whether the order of a `payment` is to be executed at once (COBS 4.24). A text in the order cannot look like a member of it,
 * because its quotation marks are escaped.
 */
export const IS_INSTANT_SQL = `strpos(order_text, '"priority":"INST"') > 0`;
