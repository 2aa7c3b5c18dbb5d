export { htmlLanguage as grammar } from '@codemirror/lang-html'
