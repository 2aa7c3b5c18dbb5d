import type { ComponentType, ReactNode } from 'react'

/** Parts of pages that need accounts. The bundle of an app without accounts has none of them. */
export interface People {
  /** Shows a page only to the people it is for; others get the way to sign in. */
  Gate: ComponentType<{ access: 'members' | 'staff'; children: ReactNode }>
  Menu: ComponentType
  /** Pages that every app with accounts has, by path. A page of the app at the same path comes first. */
  pages: Readonly<Record<string, ComponentType>>
}
