import type { Manifest } from './kernel/manifest.ts'

export const manifest: Manifest = { name: 'App', collections: {}, migrations: [] }
export const manifestHash: string = 'none'
