/** A number as short as it stays telling. */
export function formatFigure(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString('en-US');
  if (value >= 100) return value.toFixed(0);
  if (value >= 10) return value.toFixed(1);
  return value >= 0.1 || value === 0 ? value.toFixed(2) : value.toPrecision(2);
}
