/** Lines of a target file about one service, as paths between dots. */
export interface SpareLines {
  /** Nobody has to write them, beside those that offer what some checks need. */
  readonly spare: readonly string[];
  /** Without them there is no service, or nothing that a check could begin with. */
  readonly kept: readonly string[];
}
