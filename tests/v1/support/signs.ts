/** Signs that mean something in other notations, and nothing in a text; of several blanks none is one too many. */
export const SIGNS = "It's of  \\new 3 <4> and 5%20 + 6";

/** Texts that a language takes for something else: for nothing, a number, a flag or a moment. */
export const MISTAKABLE = ['0', '0042', 'null', 'true', '2024-05-01T10:00:00+02:00'];
