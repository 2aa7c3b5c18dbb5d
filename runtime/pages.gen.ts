import type { ComponentType } from 'react'
import type { People } from './web/people.ts'

export interface PageEntry {
  path: string
  title: string
  file: string
  access: 'public' | 'members' | 'staff'
  component: ComponentType
}
export const pages: PageEntry[] = []
export const people: People | null = null
export const trackView: (() => void) | null = null
