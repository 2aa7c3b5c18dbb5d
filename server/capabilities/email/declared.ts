import * as z from 'zod'
import type { Db } from '../../db/database.ts'
import { readCommit, readRef, readTree } from '../../git/store.ts'

const Declared = z.looseObject({
  mailboxes: z.array(z.looseObject({ collection: z.string() })).default([]),
})

/** Returns the names of the collections that receive mail according to an `app.json`; none for an invalid `app.json`. */
export function collectionsOf(manifest: unknown): string[] {
  const mailboxes = Declared.safeParse(manifest).data?.mailboxes ?? []
  return [...new Set(mailboxes.map(({ collection }) => collection))]
}

/** Returns the collections that receive mail according to the newest `app.json` of a project, shipped or not. */
export async function readDeclaredCollections(db: Db, projectId: string): Promise<string[]> {
  const head = await readRef(db, projectId, 'refs/heads/main')
  if (head === null) return []
  const { tree } = await readCommit(db, projectId, head)
  const text = (await readTree(db, projectId, tree)).get('app.json') ?? '{}'
  try {
    return collectionsOf(JSON.parse(text))
  } catch {
    // The build reports an invalid `app.json`, so this function reports nothing.
    return []
  }
}
