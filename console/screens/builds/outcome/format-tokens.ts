import type { Usage } from '@slipway/sdk/frames.ts'
import { workText } from '../../../text/workspace.en.ts'
import { formatCount } from '../../../lib/format.ts'

/** The token counts as text: `12.4k read (9.8k of them from the cache), 1.2k written`. */
export const formatTokens = ({ input, output, cacheRead }: Usage): string =>
  workText.build.tokenParts(formatCount(input), formatCount(output), formatCount(cacheRead))
