/** What a list is asked for by default (document v1, query parameters of both lists). */
export const LIST_DEFAULTS = { page: 1, per_page: 15, sort: 'created_at', direction: 'desc' };
