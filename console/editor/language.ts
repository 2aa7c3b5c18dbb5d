import type { Extension } from '@codemirror/state'
import { declaredKeys } from '../lib/fields.ts'

/** One loader per language, so a page loads only the grammars of the files it shows. */
const GRAMMAR_LOADERS = {
  typescript: () => import('./grammars/typescript.ts'),
  tsx: () => import('./grammars/tsx.ts'),
  css: () => import('./grammars/css.ts'),
  html: () => import('./grammars/html.ts'),
  json: () => import('./grammars/json.ts'),
  markdown: () => import('./grammars/markdown.ts'),
} satisfies Record<string, () => Promise<{ grammar: Extension }>>

export type Language = keyof typeof GRAMMAR_LOADERS

const FILE_ENDINGS: Record<Language, string> = {
  typescript: 'ts mts cts js mjs cjs',
  tsx: 'tsx jsx',
  css: 'css',
  html: 'html htm svg xml',
  json: 'json jsonc webmanifest',
  markdown: 'md markdown',
}

const LANGUAGE_OF_ENDING = new Map(
  declaredKeys(FILE_ENDINGS).flatMap((language) =>
    FILE_ENDINGS[language].split(' ').map((ending) => [ending, language] as const),
  ),
)

/** The language of a file by its extension; null for plain text. */
export function languageOf(path: string): Language | null {
  const ending = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase()
  return ending === undefined ? null : (LANGUAGE_OF_ENDING.get(ending) ?? null)
}

export async function loadLanguage(language: Language): Promise<Extension> {
  const { grammar } = await GRAMMAR_LOADERS[language]()
  return grammar
}
