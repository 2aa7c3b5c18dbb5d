import type { CheckError, CheckReport, Phase } from './report.ts'

const SAID: Record<Phase, string> = {
  manifest: 'the description of the app contradicts itself',
  paths: 'files lie where an app may not have any, or are too large',
  secrets: 'a password or key stands in the source',
  bundle: 'the parts cannot be put together',
  types: 'some parts do not fit together',
  lint: 'the code has mistakes that would break it',
  boot: 'the app does not start, or a page fails',
  tests: 'its own tests fail',
}
const NAME_CHARS_MAX = 80

/** Why a check is red, as part of a sentence for people: what is wrong, and neither codes nor places in the source. */
export function describeRed(report: CheckReport): string {
  const red = report.checks.filter((check) => !check.ok)
  return red.map(({ name, errors }) => reasonOf(name as Phase, errors)).join('; ')
}

function reasonOf(phase: Phase, errors: CheckError[]): string {
  const [first] = errors
  if (phase === 'tests' && first?.code === 'test_failed') return `its test “${testName(first)}” fails`
  if (first?.code === 'timeout') return 'something in it runs without end'
  if (first?.code === 'memory' || first?.code === 'killed') return 'it uses up the memory'
  return SAID[phase]
}

/** Tests are named in plain words; what follows the name is the failure itself. */
const testName = ({ message }: CheckError) => (message.split(': ')[0] ?? '').slice(0, NAME_CHARS_MAX)
