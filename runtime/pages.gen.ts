import type { ComponentType } from 'react'

export interface PageEntry {
  path: string
  title: string
  file: string
  component: ComponentType
}
export const pages: PageEntry[] = []
