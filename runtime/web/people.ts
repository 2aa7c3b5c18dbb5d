import type { ComponentType, ReactNode } from 'react'

/** The parts of the pages that know people; an app without accounts has none of them. */
export interface People {
  /** Shows a page to those it is for, and others a way to sign in. */
  Gate: ComponentType<{ access: 'members' | 'staff'; children: ReactNode }>
  /** The entry of the menu for one's own account. */
  Menu: ComponentType
  /** Pages that every app with accounts has, by path. A page of the app at the same path comes first. */
  pages: Readonly<Record<string, ComponentType>>
}
