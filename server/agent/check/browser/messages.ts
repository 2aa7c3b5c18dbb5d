export interface Inspection {
  sideways: { element: string; elementWidth: number; excess: number } | null
  tiny: { element: string; side: number }[]
  covered: { element: string; by: string }[]
  cut: string[]
  /** The first control that the Tab key cannot leave; null when there is none. */
  trap: string | null
  primaries: string[]
  /** Links to paths of the app. */
  links: { element: string; path: string }[]
}

export interface Violation {
  rule: string
  help: string
  element: string
  contrast: [is: string, needed: string] | null
}

const NO_LABEL = 'has no label: use a field of the kit, a <label>, or an aria-label.'
const NO_NAME = 'has no name: write text inside, or an aria-label.'
const ADVICE_BY_RULE: Record<string, string> = {
  label: NO_LABEL,
  'select-name': NO_LABEL,
  'aria-input-field-name': NO_LABEL,
  'button-name': NO_NAME,
  'link-name': NO_NAME,
  'aria-command-name': NO_NAME,
  'image-alt': 'has no alt: say what it shows, or alt="" for decoration.',
  'nested-interactive': 'is a control inside another one: take it out.',
  'scrollable-region-focusable': 'scrolls but cannot be reached by keyboard: give it tabIndex={0}.',
  'link-in-text-block': 'looks like the text around it: underline the link.',
  list: 'has children that are no <li>: wrap each in one.',
  listitem: 'is an <li> outside of a list: put it into a <ul> or <ol>.',
}

/** Returns one line that tells the model what to change, because the model reads no axe documentation. */
export function describeViolation({ rule, help, element, contrast }: Violation): string {
  if (rule === 'color-contrast' && contrast !== null) {
    const [is, needed] = contrast
    return `${element} has too little contrast (${is}:1 of ${needed}): use colours of the kit, such as var(--color-text).`
  }
  return `${element} ${ADVICE_BY_RULE[rule] ?? `breaks the rule ${rule}: ${help}.`}`
}

export function describeOverflow({
  element,
  elementWidth,
  excess,
}: NonNullable<Inspection['sideways']>): string {
  return `${element} is ${elementWidth} px wide and makes the page scroll sideways by ${excess} px: let it wrap or shrink (max-width: 100%), or put it into a box with overflow-x: auto.`
}

export const describeDeadLink = (element: string): string =>
  `${element} leads to no page: correct its path, or add the page to app.json.`

/** A part of the warning about several primary buttons, by which a later phase recognizes an earlier warning. */
export const PRIMARY_BUTTON = 'kind="primary"'

/** Describes the faults that make a page hard to use but not unusable, one line each. */
export function describeInspection({ tiny, covered, cut, trap, primaries }: Inspection): string[] {
  return [
    ...tiny.map(({ element, side }) => `${element} is ${side} px small: a finger needs 24 px.`),
    ...covered.map(({ element, by }) => `${element} is covered by ${by} and cannot be clicked there.`),
    ...cut.map((element) => `${element} has cut text: give it room or let it wrap.`),
    ...(trap === null
      ? []
      : [`${trap} keeps the Tab key, so a keyboard cannot leave it: let Tab through outside of a dialog.`]),
    ...(primaries.length > 1
      ? [
          `${primaries.join(' and ')} are ${PRIMARY_BUTTON} in one view: keep that for the one main action of the page.`,
        ]
      : []),
  ]
}

const ENDLESS_RENDER =
  'renders without end: an effect sets state on every render; give it its dependencies, or compute the value while rendering.'
/** Messages by number, because React's production errors contain only a number: https://react.dev/errors. */
const REACT_ERRORS: Record<string, string> = {
  '31': 'an object is rendered as text: render one of its fields.',
  '130': 'a component is undefined: check its import and its export.',
  '185': ENDLESS_RENDER,
  '300': 'fewer hooks than in the render before: call hooks before any return.',
  '310': 'more hooks than in the render before: call hooks before any return.',
}

export function describeRenderError(message: string): string {
  const number = /Minified React error #(\d+)/.exec(message)?.[1]
  return `throws: ${REACT_ERRORS[number ?? ''] ?? message.split('\n')[0]}`
}

export function describeEndlessRequests(url: string | null): string {
  return url === null
    ? ENDLESS_RENDER
    : `asks for ${url} without end: give the effect that does so its dependencies.`
}

export const PAGE_NOT_REACHED = 'was not seen: the pages before it took too long.'
/** Reported when the document was replaced during the inspection. */
export const PAGE_NAVIGATED_AWAY = 'was not seen: it leaves for another address while it loads.'
export const BROWSER_CRASHED = 'crashes the browser: it uses up the memory.'
export const PAGE_HANGS = 'does not answer: a loop in it has no end.'
