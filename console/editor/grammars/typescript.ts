/** Imports the grammar alone: the package's main export includes code completion, which a read-only editor does not need. */
export { typescriptLanguage as grammar } from '@codemirror/lang-javascript'
