package main

func Example() {
	main()
	// Output:
	// # 921600 bytes, proven optimal: true
	// id,name,first_op,last_op,size_bytes,offset_bytes
	// 0,frame,0,1,614400,0
	// 1,grey,1,3,307200,614400
	// 2,half,2,3,76800,307200
	// 3,edges,3,4,307200,0
	// 4,jpeg,4,5,100000,307200
}
