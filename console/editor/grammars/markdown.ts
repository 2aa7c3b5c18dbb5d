export { markdownLanguage as grammar } from '@codemirror/lang-markdown'
