/** `dimensions` is the length of an embedding's vectors. */
export interface AiModel {
  name: string
  task: 'Text Generation' | 'Text Embeddings'
  description: string
  dimensions?: number
}

const textModel = (name: string): AiModel => ({
  name,
  task: 'Text Generation',
  description: 'Answered by the local model.',
})
const embeddingModel = (name: string, dimensions: number): AiModel => ({
  name,
  task: 'Text Embeddings',
  description: 'Vectors of the words in a text.',
  dimensions,
})

export const AI_MODELS: readonly AiModel[] = [
  textModel('@cf/meta/llama-3.3-70b-instruct-fp8-fast'),
  textModel('@cf/meta/llama-3.1-8b-instruct'),
  textModel('@cf/meta/llama-3.1-8b-instruct-fast'),
  textModel('@cf/meta/llama-3.2-3b-instruct'),
  textModel('@cf/meta/llama-4-scout-17b-16e-instruct'),
  textModel('@cf/mistralai/mistral-small-3.1-24b-instruct'),
  textModel('@cf/openai/gpt-oss-120b'),
  textModel('@cf/openai/gpt-oss-20b'),
  textModel('@cf/qwen/qwen3-30b-a3b-fp8'),
  embeddingModel('@cf/baai/bge-small-en-v1.5', 384),
  embeddingModel('@cf/baai/bge-base-en-v1.5', 768),
  embeddingModel('@cf/baai/bge-large-en-v1.5', 1024),
  embeddingModel('@cf/baai/bge-m3', 1024),
]

export function findModel(name: string): AiModel | null {
  return AI_MODELS.find((model) => model.name === name) ?? null
}
