import type { ComponentType, ReactNode } from 'react'

/** Components that only an app with accounts needs, so that other apps do not bundle them. */
export interface AccountComponents {
  /** Shows a page only to people who may see it; others see the sign-in form. */
  Gate: ComponentType<{ access: 'members' | 'staff'; children: ReactNode }>
  Menu: ComponentType
  /** Pages that every app with accounts has, by path. A page of the app itself takes precedence. */
  pages: Readonly<Record<string, ComponentType>>
}
