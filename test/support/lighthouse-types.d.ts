/**
 * The part of Lighthouse's types that the tests use. Lighthouse's own types include browser types, which would apply to every file of this
 * program (tsconfig.json, `paths`).
 */
interface Flags {
  port: number
  onlyCategories: string[]
  disableStorageReset: boolean
  logLevel: 'silent'
}

interface Audit {
  id: string
  score: number | null
  scoreDisplayMode: string
}

interface Result {
  lhr: {
    runtimeError?: { message: string }
    categories: Record<string, { score: number | null }>
    audits: Record<string, Audit>
  }
}

export const desktopConfig: object
export default function lighthouse(url: string, flags: Flags, config?: object): Promise<Result | undefined>
