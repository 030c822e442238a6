// One module per icon, so that a build takes those that are drawn and no others.
declare module "lucide/dist/esm/icons/*.mjs" {
  const node: readonly (readonly [tag: string, attributes: Readonly<Record<string, string | number>>])[];
  export default node;
}
