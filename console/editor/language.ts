import type { Extension } from '@codemirror/state'

/** One loader per language: a page loads the grammars of the files it shows and no other. */
const LOADERS = {
  script: async () =>
    (await import('@codemirror/lang-javascript')).javascript({ jsx: true, typescript: true }),
  style: async () => (await import('@codemirror/lang-css')).css(),
  page: async () => (await import('@codemirror/lang-html')).html(),
  data: async () => (await import('@codemirror/lang-json')).json(),
  prose: async () => (await import('@codemirror/lang-markdown')).markdown(),
} satisfies Record<string, () => Promise<Extension>>

export type Language = keyof typeof LOADERS

const ENDINGS: Record<Language, string> = {
  script: 'ts tsx js jsx mjs cjs',
  style: 'css',
  page: 'html htm svg xml',
  data: 'json jsonc webmanifest',
  prose: 'md markdown',
}

const BY_ENDING = new Map(
  Object.entries(ENDINGS).flatMap(([language, endings]) =>
    endings.split(' ').map((ending) => [ending, language as Language] as const),
  ),
)

/** The language of a file by how its name ends; null for plain text. */
export function languageOf(path: string): Language | null {
  const ending = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase()
  return ending === undefined ? null : (BY_ENDING.get(ending) ?? null)
}

/** The grammar of a language, loaded when it is first needed. */
export const loadLanguage = (language: Language): Promise<Extension> => LOADERS[language]()
