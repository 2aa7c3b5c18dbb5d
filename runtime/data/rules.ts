import { ApiError } from '../kernel/errors.ts'
import type { AccessWord, CollectionSpec, Manifest } from '../kernel/manifest.ts'
import type { Actor } from './frames.ts'

/** Returns the declared collection; throws for any other name. */
export function collectionOf(manifest: Manifest, name: string): CollectionSpec {
  const collection = Object.hasOwn(manifest.collections, name) ? manifest.collections[name] : undefined
  if (collection === undefined) throw new ApiError('not_found', `No such collection: ${name}.`)
  return collection
}

export function requireRead(actor: Actor, name: string, collection: CollectionSpec): void {
  if (!canRead(actor, collection)) throw refusal(collection.read, `read ${name}`)
}

export const canRead = (actor: Actor, collection: CollectionSpec): boolean =>
  actor === 'system' || collection.read === 'public'

/** `write: public` lets any visitor create; changing and removing is for staff and server code. */
export function requireWrite(
  actor: Actor,
  op: 'create' | 'update' | 'remove',
  name: string,
  collection: CollectionSpec,
) {
  if (actor === 'system' || (op === 'create' && collection.write === 'public')) return
  throw refusal(op === 'create' ? collection.write : 'staff', `${op} records of ${name}`)
}

function refusal(word: AccessWord, action: string): ApiError {
  return word === 'members' || word === 'owner' || word === 'team'
    ? new ApiError('unauthorized', `Sign in to ${action}.`)
    : new ApiError('forbidden', `You may not ${action} from the browser.`)
}
