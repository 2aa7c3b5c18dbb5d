import * as z from 'zod'
import type { Db } from '../../db/database.ts'
import { readCommit, readRef, readTree } from '../../git/store.ts'

const Declared = z.looseObject({
  mailboxes: z.array(z.looseObject({ collection: z.string() })).default([]),
})

/** Returns the collections that an `app.json` lets receive mail; none for an invalid one. */
export function collectionsOf(manifest: unknown): string[] {
  const mailboxes = Declared.safeParse(manifest).data?.mailboxes ?? []
  return [...new Set(mailboxes.map(({ collection }) => collection))]
}

/** Reads the newest `app.json` of a project, whether or not it was shipped. */
export async function readDeclared(db: Db, projectId: string): Promise<string[]> {
  const head = await readRef(db, projectId, 'refs/heads/main')
  if (head === null) return []
  const { tree } = await readCommit(db, projectId, head)
  const text = (await readTree(db, projectId, tree)).get('app.json') ?? '{}'
  try {
    return collectionsOf(JSON.parse(text))
  } catch {
    // An invalid `app.json` is reported by the build, so here it has none.
    return []
  }
}
