/** Signs that mean something in other notations, and nothing in a text. */
export const SIGNS = 'Of \\new 3 <4> and 5%20 + 6';
