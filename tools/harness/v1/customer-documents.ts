import { type ApiReply, PromiseFinding, UnarrangedError } from '#client';
import type { Recorder } from '#evidence';
import type { CheckHabit } from '../check-habits.ts';
import { isRefusedForContent } from '../refused-request.ts';
import type { V1Client } from './v1-client.ts';

/** An entry of a list of documents. */
export type ListedDocument = Readonly<Record<string, unknown>>;

const MOST_PAGES = 10;

/** The documents of the target's customer: what a check uploads is taken away again after it. */
export class CustomerDocuments {
  readonly #v1: V1Client;
  readonly #recorder: Recorder;
  /** File names of uploads, by account. */
  readonly #names = new Map<string, Set<string>>();
  /** How uploads differ from the usual where nothing else is said; none any more where that was refused and the usual taken. */
  #habits: ReadonlySet<CheckHabit>;

  constructor(v1: V1Client, recorder: Recorder, habits: ReadonlySet<CheckHabit>) {
    this.#v1 = v1;
    this.#recorder = recorder;
    this.#habits = habits;
  }

  /** Uploads a document in order, but for what a check changes in it (undefined leaves a field out). The answer is not judged. */
  async upload(changes: ListedDocument = {}, account = this.#v1.account): Promise<{ reply: ApiReply; name: string }> {
    const usual = this.#v1.documentBody(changes);
    const name = String(usual.file_name);
    this.#names.set(account, (this.#names.get(account) ?? new Set()).add(name));
    const send = (body: object) => this.#v1.send('uploadDocument', { body, path: { account_uuid: account } });
    const own = this.#ownWay(usual, changes);
    const reply = await send(own);
    if (own === usual || !isRefusedForContent(reply)) return { reply, name };
    // Whether it may be uploaded so is for another check.
    const again = await send(usual);
    if (again.status < 300) this.#habits = new Set();
    return { reply: again, name };
  }

  /** A document as this check uploads it where it leaves it open, else as it is. */
  #ownWay(usual: Readonly<Record<string, unknown>>, changes: ListedDocument): Readonly<Record<string, unknown>> {
    const isUndescribed = this.#habits.has('describesNothing') && !('description' in changes);
    const isCard = this.#habits.has('uploadsIdentityCards') && !('type' in changes || 'attachment' in changes);
    if (!isUndescribed && !isCard) return usual;
    const { description, ...bare } = usual;
    return {
      ...bare,
      ...(isUndescribed ? {} : { description }),
      ...(isCard ? { type: 'identity_card', attachment: { ...Object(usual.attachment), page_type: 'front' } } : {}),
    };
  }

  /** Arranges a document. @returns its entry in the list @throws Unarranged when it is refused or not listed under its name, nor in the list of its type */
  async arrangeUpload(
    changes: ListedDocument = {},
    account = this.#v1.account,
  ): Promise<ListedDocument & { readonly uuid: string }> {
    const { reply, name } = await this.upload(changes, account);
    if (reply.status >= 300) throw new UnarrangedError(`a valid upload was answered ${reply.status}`);
    const { type } = changes;
    const entry =
      (await this.findByName(name, {}, account)) ??
      (type === undefined ? undefined : await this.findByName(name, { type: String(type) }, account));
    if (typeof entry?.uuid !== 'string') throw new UnarrangedError('an uploaded document is not listed under its name');
    return entry as ListedDocument & { uuid: string };
  }

  /** One page of the list. The answer is not judged. */
  list(query: Readonly<Record<string, string | number>> = {}, account = this.#v1.account): Promise<ApiReply> {
    return this.#v1.send('listDocuments', { query: { per_page: 100, ...query }, path: { account_uuid: account } });
  }

  /** Every entry of the list, page by page; of a very long list the first thousand. @throws Finding when a page is no array */
  async listAll(
    query: Readonly<Record<string, string>> = {},
    account = this.#v1.account,
  ): Promise<readonly ListedDocument[]> {
    const found: ListedDocument[] = [];
    for (let page = 1; page <= MOST_PAGES; page += 1) {
      const reply = await this.list({ ...query, page }, account);
      // The last page may have been full; one after it may be refused.
      if (page > 1 && reply.status >= 400 && reply.status < 500) break;
      const entries = reply.list() as readonly ListedDocument[];
      found.push(...entries);
      if (entries.length < 100) break;
    }
    return found;
  }

  /** The entry with a file name; undefined when it is not listed. */
  async findByName(
    name: string,
    query: Readonly<Record<string, string>> = {},
    account = this.#v1.account,
  ): Promise<ListedDocument | undefined> {
    return (await this.listAll(query, account)).find(({ file_name }) => file_name === name);
  }

  /** Reads a document. The answer is not judged. */
  read(uuid: string, account = this.#v1.account): Promise<ApiReply> {
    return this.#v1.send('readDocument', { path: { document_uuid: uuid, account_uuid: account } });
  }

  /** Deletes a document. The answer is not judged. */
  remove(uuid: string, account = this.#v1.account): Promise<ApiReply> {
    return this.#v1.send('deleteDocument', { path: { document_uuid: uuid, account_uuid: account } });
  }

  /** Takes away what is left of the check's documents, as far as the list shows them. */
  async removeLeftovers(): Promise<void> {
    for (const [account, names] of this.#names) {
      let left: readonly ListedDocument[] = [];
      try {
        left = (await this.listAll({}, account)).filter(({ file_name }) => names.has(String(file_name)));
      } catch (error) {
        // A list that cannot be read is for its own check to say.
        if (!(error instanceof PromiseFinding || error instanceof UnarrangedError)) throw error;
      }
      for (const { uuid } of left) {
        const { status } = await this.remove(String(uuid), account);
        this.#recorder.effect({ what: 'document', id: String(uuid), restored: status < 300 });
      }
    }
  }
}
