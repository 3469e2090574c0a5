import { cardPlaceholders, fillTemplate, type RequestTemplate, type TargetCard } from '#target';

/**
 * Body of a card history lookup (document, CardHistoryRequest).
 * @param template what the target file merges into it; null there leaves out a member that would be empty
 * @param by how the card is identified; the members of the other way are left empty
 * @param orderMerchantId the caller's own order id
 */
export function buildHistoryRequest(
  template: RequestTemplate,
  card: TargetCard,
  by: 'FULL_CARD_NUMBER' | 'FIRST_6_LAST_4',
  orderMerchantId: string,
): Record<string, unknown> {
  const isFull = by === 'FULL_CARD_NUMBER';
  const body: Record<string, unknown> = {
    cardHistorySourceType: by,
    cardNumber: isFull ? card.number : '',
    cardFirstDigits: isFull ? '' : card.number.slice(0, 6),
    cardLastDigits: isFull ? '' : card.number.slice(-4),
    orderMerchantId,
  };
  for (const [name, value] of Object.entries(fillTemplate(template, cardPlaceholders(card)) ?? {})) {
    if (value !== null) body[name] = value;
    else if (body[name] === '') delete body[name];
  }
  return body;
}
