// Imported before any code of the app: bindings of text are in `process.env`, too, where app code would find the key of
// the gate. The kernel reads it from `cloudflare:workers`, which app code cannot import.
const host = globalThis as { process?: { env: Record<string, unknown> } }
delete host.process?.env['APP_GATE']
