import { registerHooks } from 'node:module'

/** Writes the typed client of an OpenAPI document, as `npm run generate` does for the SDK. */
export async function writeSdkClient(document: string, folder: string): Promise<void> {
  // The client generator needs TypeScript's JavaScript API, which version 7 no longer has (docs/decisions/0001-typescript-from-source.md).
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier === 'typescript' ? 'typescript-5' : specifier, context),
  })
  try {
    const { createClient } = await import('@hey-api/openapi-ts')
    await createClient({
      input: document,
      output: {
        path: folder,
        importFileExtension: '.ts',
        header: [
          '// @ts-nocheck -- generated code, which does not compile with exactOptionalPropertyTypes; calls of it are still checked',
          '// Made by `npm run generate` from docs/api/openapi.json. Do not edit.',
        ],
      },
      plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
      logs: { level: 'silent', file: false },
    })
  } finally {
    hooks.deregister()
  }
}
