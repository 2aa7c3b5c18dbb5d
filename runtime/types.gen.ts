// The open default the platform is checked against on its own; an app carries the types of its `app.json`
// here.
export interface Collections {
  [name: string]: { record: AnyRecord; input: Record<string, unknown>; indexed: string }
}
interface AnyRecord {
  id: string
  ownerId: string | null
  rev: number
  createdAt: string
  updatedAt: string
  [field: string]: unknown
}
export type PagePath = string
