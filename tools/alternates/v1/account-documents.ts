import type { AlternateClock } from '../clock.ts';
import type { AlternateDefects } from '../defects.ts';
import type { AlternateAnswer, AlternateRequest } from '../server.ts';
import type { V1AlternateChoices } from './choices.ts';
import { listedBy, readPaging, selectPage } from './paging.ts';
import { absentOr, demandFields, type FieldTable, refuseFields, refuseWithStatus, textUpTo } from './refusals.ts';

interface Kept {
  readonly uuid: string;
  readonly type: string;
  readonly file_name: string;
  readonly description: string | undefined;
  readonly page_type: string | null;
  readonly at: number;
}

const UPLOAD: FieldTable = {
  type: (value) => ['passport', 'identity_card', 'drivers_license', 'selfie'].includes(String(value)),
  file_name: textUpTo(200),
  description: (value) => value === undefined || typeof value === 'string',
};

/** The documents of one customer's account. */
export class AccountDocuments {
  readonly #choices: V1AlternateChoices;
  readonly #clock: AlternateClock;
  readonly #newUuid: () => string;
  readonly #defects: AlternateDefects;
  #kept: Kept[] = [];

  constructor(choices: V1AlternateChoices, clock: AlternateClock, newUuid: () => string, defects: AlternateDefects) {
    this.#choices = choices;
    this.#clock = clock;
    this.#newUuid = newUuid;
    this.#defects = defects;
    this.#kept = Array.from({ length: choices.oldDocuments ?? 0 }, (_, i) => ({
      ...{ uuid: newUuid(), type: 'passport', file_name: `old-${i}.pdf`, description: undefined, page_type: null },
      at: clock.now() - (i + 1) * 86_400_000,
    }));
  }

  answer(asked: AlternateRequest, uuid: string | undefined): AlternateAnswer {
    if (uuid === undefined) {
      if (asked.method === 'POST') return this.#upload((asked.json ?? {}) as Record<string, unknown>);
      if (asked.method === 'GET') return this.#list(asked.query);
      throw refuseWithStatus(this.#choices, 404);
    }
    const found = this.#kept.find((one) => one.uuid === uuid);
    if (found === undefined) throw refuseWithStatus(this.#choices, 404);
    if (asked.method === 'GET') return { status: 200, body: this.#shown(found) };
    if (asked.method !== 'DELETE') throw refuseWithStatus(this.#choices, 404);
    if (!this.#defects.has('deletes nothing')) this.#kept = this.#kept.filter((one) => one !== found);
    return { status: 204 };
  }

  #upload(body: Record<string, unknown>): AlternateAnswer {
    demandFields(this.#choices, body, UPLOAD);
    const { type, file_name, description, attachment } = body as unknown as Kept & { attachment?: object };
    const { content, page_type: side = null } = (attachment ?? {}) as { content?: unknown; page_type?: string | null };
    const needed = attachment !== undefined || this.#choices.attachment === 'needed';
    if (needed && !(typeof content === 'string' && /^[A-Za-z0-9+/]+={0,2}$/.test(content)))
      throw refuseFields(this.#choices, ['attachment.content']);
    const sides = type === 'passport' ? this.#choices.passportSides === 'taken' : true;
    if (!absentOr((value) => sides && ['front', 'back'].includes(String(value)))(side))
      throw refuseFields(this.#choices, ['attachment.page_type']);
    this.#kept.push({ uuid: this.#newUuid(), type, file_name, description, page_type: side, at: this.#clock.now() });
    return { status: 200 };
  }

  #list(query: URLSearchParams): AlternateAnswer {
    const ask = readPaging(this.#choices, query);
    const [type, name] = [query.get('type'), query.get('filename')];
    const named = (one: string) => (this.#choices.fileNames === 'equal' ? one === name : one.includes(name!));
    const found = listedBy(this.#choices, this.#kept, this.#clock.now()).filter(
      (one) => (type === null || one.type === type) && (name === null || named(one.file_name)),
    );
    return { status: 200, body: selectPage(this.#choices, found, ask, this.#defects).map((one) => this.#shown(one)) };
  }

  #shown({ at, page_type, ...kept }: Kept): object {
    const side = page_type === null && this.#choices.nulls === 'left out' ? undefined : page_type;
    return { ...kept, page_type: side, created_at: this.#choices.moment(at), status: this.#choices.documentStatus };
  }
}
