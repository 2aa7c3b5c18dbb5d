export { cssLanguage as grammar } from '@codemirror/lang-css'
