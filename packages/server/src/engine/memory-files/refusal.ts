/** Why a command was not carried out, in words for the model that gave it. */
export class Refusal extends Error {}
