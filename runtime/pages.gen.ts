import type { ComponentType } from 'react'
import type { FileFieldProps } from './files/ui/file-field.tsx'
import type { AccountComponents } from './web/people.ts'

export interface PageEntry {
  path: string
  title: string
  file: string
  access: 'public' | 'members' | 'staff'
  component: ComponentType
}
export const pages: PageEntry[] = []
export const people: AccountComponents | null = null
export const FileField: ComponentType<FileFieldProps> | null = null
export const icon: string | null = null
export const trackView: (() => void) | null = null
