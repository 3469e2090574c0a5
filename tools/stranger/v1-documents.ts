import type { Clock } from './clock.ts';
import type { Asked, Said } from './serve.ts';
import type { V1Choices } from './v1-choices.ts';
import { demand, invalid, perhaps, refusal, type Table, text } from './v1-errors.ts';
import { page, paging } from './v1-pages.ts';

interface Kept {
  readonly uuid: string;
  readonly type: string;
  readonly file_name: string;
  readonly description: string | undefined;
  readonly page_type: string | null;
  readonly at: number;
}

const UPLOAD: Table = {
  type: (value) => ['passport', 'identity_card', 'drivers_license', 'selfie'].includes(String(value)),
  file_name: text(200),
  description: (value) => value === undefined || typeof value === 'string',
};

/** The documents of one customer's account. */
export class Drawer {
  readonly #choices: V1Choices;
  readonly #clock: Clock;
  readonly #newUuid: () => string;
  readonly #defect: string | undefined;
  #kept: Kept[] = [];

  constructor(choices: V1Choices, clock: Clock, newUuid: () => string, defect?: string) {
    this.#choices = choices;
    this.#clock = clock;
    this.#newUuid = newUuid;
    this.#defect = defect;
  }

  answer(asked: Asked, uuid: string | undefined): Said {
    if (uuid === undefined) {
      if (asked.method === 'POST') return this.#upload((asked.json ?? {}) as Record<string, unknown>);
      if (asked.method === 'GET') return this.#list(asked.query);
      throw refusal(this.#choices, 404);
    }
    const found = this.#kept.find((one) => one.uuid === uuid);
    if (found === undefined) throw refusal(this.#choices, 404);
    if (asked.method === 'GET') return { status: 200, body: this.#shown(found) };
    if (asked.method !== 'DELETE') throw refusal(this.#choices, 404);
    if (this.#defect !== 'deletes nothing') this.#kept = this.#kept.filter((one) => one !== found);
    return { status: 204 };
  }

  #upload(body: Record<string, unknown>): Said {
    demand(this.#choices, body, UPLOAD);
    const { type, file_name, description, attachment } = body as unknown as Kept & { attachment?: object };
    const { content, page_type: side = null } = (attachment ?? {}) as { content?: unknown; page_type?: string | null };
    const needed = attachment !== undefined || this.#choices.attachment === 'needed';
    if (needed && !(typeof content === 'string' && /^[A-Za-z0-9+/]+={0,2}$/.test(content)))
      throw invalid(this.#choices, ['attachment.content']);
    const sides = type === 'passport' ? this.#choices.passportSides === 'taken' : true;
    if (!perhaps((value) => sides && ['front', 'back'].includes(String(value)))(side))
      throw invalid(this.#choices, ['attachment.page_type']);
    this.#kept.push({ uuid: this.#newUuid(), type, file_name, description, page_type: side, at: this.#clock.now() });
    return { status: 200 };
  }

  #list(query: URLSearchParams): Said {
    const ask = paging(this.#choices, query);
    const [type, name] = [query.get('type'), query.get('filename')];
    const named = (one: string) => (this.#choices.fileNames === 'equal' ? one === name : one.includes(name!));
    const found = this.#kept.filter(
      (one) => (type === null || one.type === type) && (name === null || named(one.file_name)),
    );
    return { status: 200, body: page(this.#choices, found, ask, this.#defect).map((one) => this.#shown(one)) };
  }

  #shown({ at, page_type, ...kept }: Kept): object {
    const side = page_type === null && this.#choices.nulls === 'left out' ? undefined : page_type;
    return { ...kept, page_type: side, created_at: this.#choices.moment(at), status: this.#choices.documentStatus };
  }
}
