/**
 * Families of models that write code and use tools well, the most preferred first. Small and fast variants are left
 * out: the recommended model is used for the first build, which should succeed.
 */
const PREFERRED_FAMILIES = [
  /^claude-sonnet-[\d.-]+$/,
  /^claude-opus-[\d.-]+$/,
  /^gpt-[5-9][\d.]*(-codex)?$/,
  /^gemini-[\d.]+-pro(-preview)?$/,
  /^grok-(code-fast-)?\d[\d.]*$/,
  /^qwen[\d.]*-coder/,
  /^deepseek-(chat|v\d[\d.]*|coder)/,
  /^kimi-k\d/,
  /^glm-\d[\d.]*$/,
  /^(devstral|codestral)/,
  /^gpt-oss/,
  /^gpt-4\.1$/,
  /^claude/,
  /^llama-?[3-9]/,
]

/** Matches the names of models that do not generate text. Some providers list such models, too. */
const NON_TEXT_MODELS =
  /embed|rerank|whisper|transcri|tts|speech|audio|realtime|voice|dall-e|image|imagen|veo|sora|moderation|guard|safety|babbage|davinci|-instruct-0914|(^|[/-])(bge|clip|aqa)\b/

interface RankedModel {
  id: string
  family: number
  versions: number[]
  /** True when the name contains a date. A name without a date means the current version. */
  isDated: boolean
}

/** Returns the models that generate text: the recommended one first, the others in the provider's order. */
export function rankModels(ids: readonly string[]): { id: string; recommended: boolean }[] {
  const unique = [...new Set(ids)]
  const writers = unique.filter((id) => !NON_TEXT_MODELS.test(id.toLowerCase()))
  // When the filter has removed every model, all models are offered.
  const offered = writers.length > 0 ? writers : unique
  const best = recommendedModel(offered)
  return offered
    .map((id) => ({ id, recommended: id === best }))
    .toSorted((a, b) => Number(b.recommended) - Number(a.recommended))
}

/** Returns the newest model of the first family in `PREFERRED_FAMILIES`, otherwise the first model listed. */
function recommendedModel(ids: readonly string[]): string | undefined {
  const known = ids.map(rankModel).filter(({ family }) => family >= 0)
  return known.toSorted(compareRanked)[0]?.id ?? ids[0]
}

function rankModel(id: string): RankedModel {
  const bare = id.slice(id.lastIndexOf('/') + 1).toLowerCase()
  const [name = bare] = bare.split(':')
  const undated = name.replace(/[-@](20\d{6}|20\d\d-\d\d-\d\d|\d\d-\d\d|\d{4}|latest)$/, '')
  return {
    id,
    family: PREFERRED_FAMILIES.findIndex((pattern) => pattern.test(undated)),
    versions: [...undated.matchAll(/\d+/g)].map(([digits]) => Number(digits)),
    isDated: undated !== bare,
  }
}

function compareRanked(a: RankedModel, b: RankedModel): number {
  if (a.family !== b.family) return a.family - b.family
  for (let i = 0; i < Math.max(a.versions.length, b.versions.length); i++) {
    const newer = (b.versions[i] ?? 0) - (a.versions[i] ?? 0)
    if (newer !== 0) return newer
  }
  return Number(a.isDated) - Number(b.isDated)
}
