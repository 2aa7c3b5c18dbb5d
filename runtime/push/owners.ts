import type { SyncStorage } from 'cloudflare:workers'
import type { PushOwnerCalls } from './types.ts'
import type { HandlersOf } from '../kernel/objects/calls.ts'
import { sqlRunner } from '../kernel/objects/sql.ts'

export function pushOwnerHandlers(
  storage: SyncStorage,
  isKnown: (userId: string) => boolean,
): HandlersOf<PushOwnerCalls> {
  const run = sqlRunner(storage)
  run('create table if not exists push_owners (id text primary key, user text not null) without rowid')
  run('create index if not exists push_owners_user on push_owners (user)')
  const owner = (id: string) =>
    run<{ user: string }>('select user from push_owners where id = ?', id)[0]?.user ?? null
  return {
    claim: ({ id, userId }) => {
      if (!isKnown(userId)) return false
      const before = owner(id)
      run('insert or replace into push_owners values (?, ?)', id, userId)
      return before
    },
    owner: ({ id }) => owner(id),
    release: ({ userId, id }) => {
      if (id === undefined) run('delete from push_owners where user = ?', userId)
      else run('delete from push_owners where user = ? and id = ?', userId, id)
    },
  }
}
