/** Tables that the programs contain as text. */
declare module "*.txt" {
  const text: string;
  export default text;
}
